import { NumberFigure } from '../../charts/NumberFigure';
import { formatNumber } from '../../../engine/formats/numbers';
import { useTotal } from '../../list/useTotal';
import type { TileProps } from './ListTile';
import { useTileFilter } from './useTileFilter';

/** How many records there are, which leads to their list. */
export function NumberTile({ tile, definition, tools }: TileProps) {
  const { filter, listPath, problem } = useTileFilter(tile, definition);
  const total = useTotal(definition.name, filter ?? {}, filter !== undefined);
  return (
    <NumberFigure
      title={tile.title || definition.labels.many}
      value={total === undefined ? undefined : formatNumber(total)}
      {...{ target: listPath, problem }}
      actions={tools}
    />
  );
}
