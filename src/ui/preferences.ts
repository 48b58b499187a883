/** How a person wants the terminal; what is not said is as it is without a setting. */
export interface Preferences {
  readonly theme?: string;
  readonly language?: string;
  readonly notifications?: 'auto' | 'bell' | 'osc9' | 'off';
  readonly windowTitle?: boolean;
}
