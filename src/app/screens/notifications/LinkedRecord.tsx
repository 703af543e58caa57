import { useGetOne } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../../engine/access/access-decision';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn } from '../../../engine/lists/column-value';
import { recordPath, recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { useDefinitions } from '../../data/DefinitionsContext';
import { FieldCell } from '../../fields/displays';
import { Icon } from '../../icons/Icon';
import type { Definitions } from '../../data/DefinitionsContext';
import * as styles from './notifications.module.css';

/** The record that a notification's link points to; undefined if there is none or the actor may not view it. */
export function linkedRecord(link: string | null, { registry, actor }: Definitions) {
  const [, name = '', id] = /^\/([a-z][a-z0-9-]*)\/(\d+)$/.exec(link ?? '') ?? [];
  const definition = registry.get(name);
  return definition && id && isGranted(actor, name, 'view') ? { definition, id: Number(id) } : undefined;
}

/** The fields that summarise a record: those of its cards, else the first columns of its list. */
function summaryFields({ list }: Definition): string[] {
  const { kanban, card } = list;
  if (kanban) return [kanban.priority, kanban.column, kanban.person, kanban.due].filter((name) => name !== undefined);
  if (card) return [...card.marks, ...card.lines.map(({ field }) => field), ...(card.person ? [card.person] : [])];
  return list.columns
    .filter(({ visible }) => visible)
    .map(({ field }) => field)
    .slice(0, 4);
}

/** The record that a notification is about: its title and current values. Renders nothing if it was deleted. */
export function LinkedRecord({ definition, id }: { definition: Definition; id: number }) {
  const { registry } = useDefinitions();
  const { data } = useGetOne<ResourceRecord & { id: number }>(definition.name, { id }, { retry: false });
  if (!data) return null;
  const facts = summaryFields(definition).flatMap((path) => resolveColumn(path, definition, registry) ?? []);
  return (
    <section className={styles.noteRecord} aria-label={definition.labels.one}>
      <p>
        <Icon name={definition.menu?.icon ?? 'list'} size={14} />
        {definition.labels.one} <span className="num">{id}</span>
      </p>
      <h3>
        <Link to={recordPath(definition, { id })}>{recordTitle(definition, data)}</Link>
      </h3>
      <dl>
        {facts
          .filter((fact) => !isEmpty(fact.value(data)))
          .map((fact) => (
            <div key={fact.field.name}>
              <dt className="unseen">{fact.field.label}</dt>
              <dd>
                <FieldCell
                  field={fact.field}
                  value={fact.value(data)}
                  record={fact.record(data)}
                  definition={fact.definition}
                  registry={registry}
                />
              </dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
