import type { ReactNode } from 'react';
import { lazyComponent } from '../../states/lazyComponent';
import type { CellProps, DisplayFacets } from '../fieldType';

/** Few lists have files: their cell is loaded when it is first shown. */
const Cell = lazyComponent<(props: CellProps) => ReactNode>(() =>
  import('./FilesCell').then((module) => ({ default: module.FilesCell })),
);

export default { Cell, inputHeight: () => 88 } satisfies DisplayFacets;
