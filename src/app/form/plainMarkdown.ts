import type { ReactNode } from 'react';

/**
 * Stands in the build for the Markdown component that rjsf brings along. rjsf would format its own words on schemas that
 * are wrong with it, which do not occur here: 84 kB for nothing.
 */
export function Markdown({ children }: { children?: ReactNode }): ReactNode {
  return children;
}
