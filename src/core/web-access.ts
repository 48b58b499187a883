/** What became of a request for a page. Nothing was sent where it leads to a `private` place. */
export type WebOutcome =
  | WebPage
  /** It goes on at another host, which was not judged. */
  | { readonly type: 'moved'; readonly url: string }
  | { readonly type: 'private'; readonly host: string; readonly address: string }
  | { readonly type: 'not_text'; readonly url: string; readonly contentType: string }
  | { readonly type: 'unreachable'; readonly host: string; readonly detail: string }
  | { readonly type: 'too_slow'; readonly host: string; readonly timeoutMs: number };

/** An answer in words: what a person would read of a page, or the text as it is. */
export interface WebPage {
  readonly type: 'page';
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** Without its parameters; empty where the server does not say. */
  readonly contentType: string;
  readonly text: string;
  /** There is more than is read of any page. */
  readonly isCut: boolean;
}

/** Reads public addresses of the web, with no cookie and no key. */
export interface WebAccess {
  /** Takes http and https. Errors: throws where the signal is aborted. */
  fetch(url: string, signal: AbortSignal): Promise<WebOutcome>;
}
