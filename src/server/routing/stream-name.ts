import { Type } from 'typebox';

/** The name of a window's event stream: its header X-Stream. */
export const streamName = Type.String({
  pattern: '^[\\w-]{16,64}$',
  errorMessage: 'stream must be the name of your event stream.',
});
