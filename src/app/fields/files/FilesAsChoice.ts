import { createContext } from 'react';

/**
 * Around a form whose files are offered: each has a checkbox instead of being removed, and stays in view when it is not taken.
 * The value says more about a file, such as where it was seen.
 */
export const FilesAsChoice = createContext<((file: { readonly name: string }) => string | undefined) | undefined>(
  undefined,
);
