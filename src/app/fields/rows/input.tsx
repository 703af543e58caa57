import type { ReactNode } from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputFacets, InputProps } from '../fieldType';

/** The rows as a grid, which is loaded when it is first shown. */
const Input = lazyComponent<(props: InputProps<FieldOf<'rows'>>) => ReactNode>(() =>
  import('../editors').then((module) => ({ default: module.RowGrid })),
);

export default { Input } satisfies InputFacets<FieldOf<'rows'>>;
