import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Stack from '@mui/material/Stack';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { layOutGraph, neighbours, relationGraph, type RelationGraph } from '../../../engine/studio/relation-graph';
import { getOrThrow } from '../../../engine/values/lookups';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { EmptyState } from '../../states/EmptyState';
import { RelationPicture } from './RelationPicture';
import * as toolbarStyles from '../../list/toolbar.module.css';
import * as styles from './relations.module.css';

/** Which module points to which: as a picture of all or of one with its neighbours, and as a list. */
export default function RelationsView() {
  const { registry } = useDefinitions();
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const phone = useMediaQuery('(max-width: 600px)', { noSsr: true });
  const graph = useMemo(() => relationGraph(registry.definitions.values()), [registry]);
  const centre = graph.modules.find(({ name }) => name === query.get('module'))?.name ?? '';
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
    name !== '' && name === centre ? void navigate(`/studio/${name}`) : ask({ module: name });
  const visibleGraph = useMemo(() => (centre ? aroundModule(graph, centre) : graph), [graph, centre]);
  const columns = useMemo(() => (centre ? columnsAround(graph, centre) : layOutGraph(graph)), [graph, centre]);
  return (
    <Stack component="section" sx={{ flex: 1, minHeight: 0 }} aria-label="Relations of modules">
      <div className={styles.relationTools}>
        <Select
          size="small"
          displayEmpty
          value={centre}
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
        <span className={toolbarStyles.listViews} role="group" aria-label="How relations are shown">
          <button type="button" aria-pressed={!asList} onClick={() => ask({ as: 'picture' })}>
            Picture
          </button>
          <button type="button" aria-pressed={asList} onClick={() => ask({ as: 'list' })}>
            List
          </button>
        </span>
        {centre && (
          <>
            <Button size="small" variant="outlined" onClick={() => choose('')}>
              Show all
            </Button>
            <Button
              size="small"
              variant="text"
              component={Link}
              to={`/studio/${centre}`}
              startIcon={<Icon name="pencil" />}
            >
              Open definition
            </Button>
          </>
        )}
      </div>
      {visibleGraph.links.length === 0 ? (
        <EmptyState
          sentence={centre ? 'No module points to it, and it points to none.' : 'No module points to another.'}
        />
      ) : asList ? (
        <RelationList graph={visibleGraph} centre={centre} onChoose={choose} />
      ) : (
        <RelationPicture graph={visibleGraph} layers={columns} centre={centre} onChoose={choose} />
      )}
    </Stack>
  );
}

/** A module with its neighbours, and the links between it and them. */
function aroundModule(graph: RelationGraph, name: string): RelationGraph {
  const links = graph.links.filter(({ from: source, to: target }) => source === name || target === name);
  const names = new Set(links.flatMap(({ from: source, to: target }) => [source, target]));
  return { modules: graph.modules.filter((module) => names.has(module.name)), links };
}

/** The modules that point to a module, the module, and those that it points to; a module that does both stands on the left. */
function columnsAround(graph: RelationGraph, name: string): string[][] {
  const { from: incoming, to: outgoing } = neighbours(graph, name);
  const label = new Map(graph.modules.map((module) => [module.name, module.label]));
  const sortByLabel = (names: string[]) =>
    names.sort((first, second) => getOrThrow(label, first).localeCompare(getOrThrow(label, second)));
  const left = sortByLabel(incoming.map((link) => link.from));
  const right = sortByLabel(outgoing.map((link) => link.to).filter((moduleName) => !left.includes(moduleName)));
  return [left, [name], right].filter((names) => names.length > 0);
}

interface RelationListProps {
  graph: RelationGraph;
  /** The module in the middle; empty: all modules. */
  centre: string;
  onChoose: (name: string) => void;
}

/** The links of modules as a table: the module, its fields, and where they point. */
function RelationList({ graph, centre, onChoose }: RelationListProps) {
  const labels = new Map(graph.modules.map(({ name, label }) => [name, label]));
  const links = graph.links.toSorted(
    (first, second) =>
      getOrThrow(labels, first.from).localeCompare(getOrThrow(labels, second.from)) ||
      getOrThrow(labels, first.to).localeCompare(getOrThrow(labels, second.to)),
  );
  const module = (name: string) =>
    name === centre ? (
      <Link to={`/studio/${name}`}>{labels.get(name)}</Link>
    ) : (
      <button type="button" onClick={() => onChoose(name)}>
        {labels.get(name)}
      </button>
    );
  return (
    <div className={styles.relationCanvas} role="region" aria-label="List of relations" tabIndex={0}>
      <table className={styles.relationTable}>
        <thead>
          <tr>
            <th scope="col">Module</th>
            <th scope="col">Field</th>
            <th scope="col">Points to</th>
          </tr>
        </thead>
        <tbody>
          {links.map(({ from: source, to: target, fields }) => (
            <tr key={`${source} ${target}`}>
              <td>{module(source)}</td>
              <td>{fields.join(', ')}</td>
              <td>{source === target ? 'itself' : module(target)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
