import type { ComponentType } from 'react';

/** A custom screen for visitors without an account. */
export interface PublicScreen {
  /** The prefix of its paths: `/shared/`. */
  start: string;
  load: () => Promise<{ default: ComponentType }>;
}
