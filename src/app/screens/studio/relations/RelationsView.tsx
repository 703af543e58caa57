import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { layOutGraph, neighbours, relationGraph, type RelationGraph } from '../../../../engine/studio/relation-graph';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import { Icon } from '../../../icons/Icon';
import { EmptyState } from '../../../states/EmptyState';
import { RelationList } from './RelationList';
import { RelationPicture } from './RelationPicture';
import * as listStyles from '../../../list/list.module.css';
import * as styles from './relations.module.css';

/** Which module points to which: as a picture of all or of one with its neighbours, and as a list. */
export default function RelationsView() {
  const { registry } = useDefinitions();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const phone = useMediaQuery('(max-width: 600px)', { noSsr: true });
  const graph = useMemo(() => relationGraph(registry.definitions.values()), [registry]);
  const chosen = graph.modules.find(({ name }) => name === query.get('module'))?.name ?? '';
  const asList = query.get('as') === 'list' || (phone && query.get('as') !== 'picture');
  const ask = (change: Record<string, string>) => {
    const next = new URLSearchParams(query);
    for (const [key, value] of Object.entries(change)) {
      if (value) next.set(key, value);
      else next.delete(key);
    }
    setQuery(next);
  };
  // The module in the middle opens; any other goes there.
  const choose = (name: string) =>
    name !== '' && name === chosen ? void navigate(`/studio/${name}`) : ask({ module: name });
  const shown = useMemo(() => (chosen ? aroundModule(graph, chosen) : graph), [graph, chosen]);
  const columns = useMemo(() => (chosen ? columnsAround(graph, chosen) : layOutGraph(graph)), [graph, chosen]);
  return (
    <section className={styles.relations} aria-label="Relations of modules">
      <div className={styles.relationTools}>
        <Select
          size="small"
          displayEmpty
          value={chosen}
          onChange={({ target }) => choose(target.value)}
          inputProps={{ 'aria-label': 'Module in the middle' }}
          MenuProps={{ slotProps: { paper: { sx: { maxHeight: 400 } } } }}
        >
          <MenuItem value="">All modules</MenuItem>
          {graph.modules.map(({ name, label }) => (
            <MenuItem key={name} value={name}>
              {label}
            </MenuItem>
          ))}
        </Select>
        <span className={listStyles.listViews} role="group" aria-label="How relations are shown">
          <button type="button" aria-pressed={!asList} onClick={() => ask({ as: 'picture' })}>
            Picture
          </button>
          <button type="button" aria-pressed={asList} onClick={() => ask({ as: 'list' })}>
            List
          </button>
        </span>
        {chosen && (
          <>
            <Button size="small" variant="outlined" onClick={() => choose('')}>
              Show all
            </Button>
            <Button
              size="small"
              variant="text"
              component={Link}
              to={`/studio/${chosen}`}
              startIcon={<Icon name="pencil" />}
            >
              Open definition
            </Button>
          </>
        )}
      </div>
      {shown.links.length === 0 ? (
        <EmptyState
          sentence={chosen ? 'No module points to it, and it points to none.' : 'No module points to another.'}
        />
      ) : asList ? (
        <RelationList graph={shown} chosen={chosen} onChoose={choose} />
      ) : (
        <RelationPicture graph={shown} columns={columns} chosen={chosen} onChoose={choose} />
      )}
    </section>
  );
}

/** A module with its neighbours, and the links between it and them. */
function aroundModule(graph: RelationGraph, name: string): RelationGraph {
  const links = graph.links.filter(({ from, to }) => from === name || to === name);
  const names = new Set(links.flatMap(({ from, to }) => [from, to]));
  return { modules: graph.modules.filter((module) => names.has(module.name)), links };
}

/** What points to a module, the module, and what it points to; a module that does both stands on the left. */
function columnsAround(graph: RelationGraph, name: string): string[][] {
  const { from, to } = neighbours(graph, name);
  const label = new Map(graph.modules.map((module) => [module.name, module.label]));
  const sorted = (names: string[]) => names.sort((one, other) => label.get(one)!.localeCompare(label.get(other)!));
  const left = sorted(from.map((link) => link.from));
  const right = sorted(to.map((link) => link.to).filter((one) => !left.includes(one)));
  return [left, [name], right].filter((names) => names.length > 0);
}
