import type { Extension } from '@codemirror/state';

/** What the editor knows of the definition language. */
export const language: Extension = [];
