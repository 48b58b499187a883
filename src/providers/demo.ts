import type { ModelEvent, ModelRequest, Provider } from '../core/model.ts';
import { emitReply } from './demo/emit.ts';
import { replyTo } from './demo/reply.ts';

export { isTourRequest } from './demo/understanding/tour-request.ts';

/** How the demo model speaks. */
export interface DemoOptions {
  /** A pause before each delta, in milliseconds; 0 by default. */
  readonly deltaDelayMs?: number;
}

/**
 * A model without a model: it answers by rules, so that a first run needs no key.
 * It keeps no state. What was asked and what it did so far are read from the messages of each request, and it
 * acts only through the tools that the request offers. The same request always gets the same reply.
 */
export function createDemoProvider(options: DemoOptions = {}): Provider {
  const deltaDelayMs = options.deltaDelayMs ?? 0;
  return {
    id: 'demo',
    marksCallEnd: true,
    seesImages: false,
    stream: (request: ModelRequest): AsyncIterable<ModelEvent> => emitReply(replyTo(request), { request, deltaDelayMs }),
  };
}
