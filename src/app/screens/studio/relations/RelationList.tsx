import { Link } from 'react-router';
import type { RelationGraph } from '../../../../engine/studio/relation-graph';
import * as styles from './relations.module.css';

interface RelationListProps {
  graph: RelationGraph;
  /** The module in the middle; empty: all modules. */
  chosen: string;
  onChoose: (name: string) => void;
}

/** The links of modules as a table: the module, its fields, and where they point. */
export function RelationList({ graph, chosen, onChoose }: RelationListProps) {
  const labels = new Map(graph.modules.map(({ name, label }) => [name, label]));
  const links = graph.links.toSorted(
    (one, other) =>
      labels.get(one.from)!.localeCompare(labels.get(other.from)!) ||
      labels.get(one.to)!.localeCompare(labels.get(other.to)!),
  );
  const module = (name: string) =>
    name === chosen ? (
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
          {links.map(({ from, to, fields }) => (
            <tr key={`${from} ${to}`}>
              <td>{module(from)}</td>
              <td>{fields.join(', ')}</td>
              <td>{from === to ? 'itself' : module(to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
