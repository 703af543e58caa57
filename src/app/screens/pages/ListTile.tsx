import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDataProvider, type RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Column, Definition } from '../../../engine/definitions/definition';
import { resolveColumn, type ColumnSource } from '../../../engine/lists/column-value';
import { formatTotal } from '../../../engine/formats/numbers';
import { readableColumns } from '../../../engine/lists/columns';
import { templateFields } from '../../../engine/definitions/labels';
import { recordTitle } from '../../../engine/lists/row-actions';
import { usualRows, type Tile } from '../../../engine/pages/tiles';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { ColumnCell } from '../../list/ColumnCell';
import { useRequestedFields } from '../../list/useRecords';
import * as statesStyles from '../../states/states.module.css';
import { TileFrame } from './TileFrame';
import { usePageRow } from './usePageRows';
import { useTileFilter, type TileFilter } from './useTileFilter';
import * as styles from './pages.module.css';

export interface TileProps {
  tile: Tile;
  definition: Definition;
  tools?: ReactNode;
}

/** How many columns a list has unless the tile says which. */
const usualColumns = 3;
const noFilters = {};

/** The first records of a list, each a link to it, and how many there are. */
export function ListTile(props: TileProps) {
  return <RecordsTile {...props} records={useTileFilter(props.tile, props.definition)} />;
}

/** The first of these records, each a link to it, and how many there are. */
export function RecordsTile({ tile, definition, tools, records }: TileProps & { records: TileFilter }) {
  const { registry, actor } = useDefinitions();
  const dataProvider = useDataProvider();
  const { filter, sort, listPath, problem } = records;
  const readable = readableColumns(definition, actor);
  const columns = tile.columns
    ? tile.columns.flatMap((name) => readable.find(({ field }) => field === name) ?? [])
    : readable.filter(({ visible, field }) => visible && field !== 'id').slice(0, usualColumns);
  const meta = useRequestedFields(definition.name, noFilters, 'chosen', columns);
  const limit = tile.limit ?? usualRows;
  const params = { pagination: { page: 1, perPage: limit }, sort: { ...sort }, filter: filter ?? {}, meta };
  const { data, error } = useQuery({
    queryKey: [definition.name, 'getList', params],
    queryFn: ({ signal }) => dataProvider.getList<RaRecord>(definition.name, { ...params, signal }),
    enabled: filter !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  const openerOf = useOpenRecord(definition);
  const sources = columns.flatMap((column) => {
    const source = resolveColumn(column.field, definition, registry);
    return source ? [{ column, source }] : [];
  });
  const title = tile.title || definition.labels.many;
  return (
    <TileFrame
      {...{ title, tools, target: listPath }}
      total={data?.total}
      waits={{ contentKey: tileKey(tile), now: !data && !error && !problem }}
    >
      {(problem ?? error) ? (
        <p className={styles.tileNote} role="status">
          {problem ?? `This list could not be loaded: ${error?.message}`}
        </p>
      ) : !data ? (
        <span className={`${statesStyles.skeleton} ${styles.tileWait}`} aria-hidden="true" />
      ) : data.data.length === 0 ? (
        <p className={styles.tileNote}>Nothing here.</p>
      ) : (
        <table className={styles.tileRows}>
          <thead className="unseen">
            <tr>
              {sources.map(({ column }) => (
                <th key={column.field} scope="col">
                  {column.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.data.map((record) => (
              <Row
                key={record.id}
                rowKey={`${tile.id}:${record.id}`}
                {...{ record, definition, sources, opener: openerOf(record) }}
              />
            ))}
          </tbody>
        </table>
      )}
      {data && (data.total ?? 0) > data.data.length && (
        <Box
          component="p"
          sx={{ pt: 2, px: 4, pb: 3, borderTop: '1px solid var(--line)', color: 'var(--t2)', fontSize: 12 }}
        >
          {data.data.length} of {formatTotal(data.total ?? 0)}{' '}
          {listPath !== undefined && <Link to={listPath}>Show all</Link>}
        </Box>
      )}
    </TileFrame>
  );
}

interface RowProps {
  rowKey: string;
  record: RaRecord;
  definition: Definition;
  sources: readonly { column: Column; source: ColumnSource }[];
  opener: ReturnType<ReturnType<typeof useOpenRecord>>;
}

/** The key of a tile's content, whichever page it is on. */
const tileKey = ({ id, module, view, where: condition, limit }: Tile) =>
  JSON.stringify([module, view, condition ?? id, limit]);

/** A record: its first column leads to it. */
function Row({ rowKey, record, definition, sources, opener }: RowProps) {
  const row = usePageRow(rowKey);
  const cell = ({ column, source }: RowProps['sources'][number]) => {
    if (isEmpty(source.value(record))) return null;
    const content = <ColumnCell {...{ column, definition, source, record }} />;
    if (!column.parts) return content;
    return (
      <Box component="span" sx={{ display: 'block', width: column.width ?? 160 }}>
        {content}
      </Box>
    );
  };
  const [first, ...otherSources] = sources;
  const isTitle = first === undefined || templateFields(definition.recordTitle).includes(first.column.field);
  const title = (isTitle ? undefined : first && cell(first)) ?? recordTitle(definition, record);
  return (
    <tr>
      <td>
        {opener.path === null ? (
          <span>{title}</span>
        ) : (
          <Link to={opener.path} onClick={opener.onClick} className={styles.tileLink} {...row}>
            {title}
          </Link>
        )}
      </td>
      {otherSources.map((source) => (
        <td key={source.column.field} className={source.column.parts && styles.tileBar}>
          {cell(source)}
        </td>
      ))}
    </tr>
  );
}
