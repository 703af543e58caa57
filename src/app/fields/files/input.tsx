import type { ReactNode } from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';

/** The files, whose input is loaded when it is first shown. */
const Input = lazyComponent<(props: InputProps<FieldOf<'files'>>) => ReactNode>(() =>
  import('./FilesInput').then((module) => ({ default: module.FilesInput })),
);

export default {
  Input,
  // The input uploads what is added, and says at the file what is wrong with it.
  fileProblem: () => undefined,
  withFile: (value, file) => [...(Array.isArray(value) ? (value as unknown[]) : []), file],
} satisfies InputFacets<FieldOf<'files'>>;
