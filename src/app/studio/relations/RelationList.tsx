import { Link } from 'react-router-dom';
import type { RelationGraph } from '../../../engine/studio/relation-graph';
import { getOrThrow } from '../../../engine/values/lookups';
import * as styles from './relations.module.css';

interface RelationListProps {
  graph: RelationGraph;
  /** The module in the middle; empty: all modules. */
  centre: string;
  onChoose: (name: string) => void;
}

/** The links of modules as a table: the module, its fields, and where they point. */
export function RelationList({ graph, centre, onChoose }: RelationListProps) {
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
