import useMediaQuery from '@mui/material/useMediaQuery';
import Tooltip from '@mui/material/Tooltip';
import { useRef, useState } from 'react';
import type { RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import { isInverse } from '../../engine/field-types/inverse';
import { isRelation } from '../../engine/field-types/relation';
import { formatInstant } from '../../engine/formats/dates';
import { pagePath, recordPath } from '../../engine/lists/row-actions';
import { keyFields } from '../../engine/lists/inline-edit';
import type { PageProperty, RecordPage } from '../../engine/pages/record-page';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import { useDefinitions } from '../data/DefinitionsContext';
import { useCommands } from '../commands/commands';
import { PageValue } from '../fields/pages';
import { Icon } from '../icons/Icon';
import { setFieldText } from '../list/inline/setFieldText';
import { lazyComponent } from '../states/lazyComponent';
import { phone } from '../theme/overrides';
import * as styles from './record.module.css';

const CellEditor = lazyComponent(() =>
  import('../list/inline/CellEditor').then((part) => ({ default: part.CellEditor })),
);

/** Windows in which the properties are above the text, and some of them shown on request. */
const narrowWindow = '@media (max-width: 1100px)';

interface RailProps {
  definition: Definition;
  record: RaRecord;
  page: RecordPage;
  /** Leaves out `a` and `s`, for a screen where these keys do something else. */
  withoutKeys?: boolean;
}

/** The properties of a record beside its text; those that the user may change are edited in place. `a` and `s` set who has it and how far it is. */
export function Rail({ definition, record, page, withoutKeys = false }: RailProps) {
  const { registry } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const isAbove = useMediaQuery(narrowWindow, { noSsr: true });
  const maxProperties = isPhone ? 3 : isAbove ? 6 : Infinity;
  const [showsAll, setShowsAll] = useState(false);
  const [editedProperty, setEditedProperty] = useState<{ field: Field; anchor: HTMLElement } | null>(null);
  const box = useRef<HTMLElement>(null);
  const shownProperties =
    showsAll || page.rail.length <= maxProperties + 1 ? page.rail : page.rail.slice(0, maxProperties);
  const hidden = page.rail.length - shownProperties.length;
  const edit = (field: Field) => {
    const anchor = box.current?.querySelector<HTMLElement>(`[data-field="${field.name}"]`) ?? box.current;
    if (anchor) setEditedProperty({ field, anchor });
  };
  useCommands(() => {
    const fields = page.rail.filter(({ editable }) => editable).map(({ field }) => field);
    const { person, state } = keyFields(definition, registry, fields);
    return fields.map((field) => ({
      id: `set ${field.name}`,
      ...setFieldText(field, person),
      recordsText: page.heading,
      ...(withoutKeys ? {} : field === person ? { keys: 'a' } : field === state ? { keys: 's' } : {}),
      run: () => edit(field),
    }));
  });
  return (
    <aside className={styles.rail} ref={box} aria-labelledby="record-rail">
      <h3 id="record-rail">Properties</h3>
      {page.refusal && (
        <p className={styles.railNote}>
          <Icon name="lock" size={14} /> {page.refusal}
        </p>
      )}
      <dl>
        {shownProperties.map((property) => (
          <Property key={property.field.name} {...{ definition, record, property }} onEdit={edit} />
        ))}
        {hidden === 0 && <Stamps definition={definition} record={record} />}
      </dl>
      {(hidden > 0 || (showsAll && page.rail.length > maxProperties + 1)) && (
        <button
          type="button"
          className={styles.railMore}
          aria-expanded={showsAll}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? 'Fewer properties' : `${hidden} more ${hidden === 1 ? 'property' : 'properties'}`}
          <Icon name={showsAll ? 'chevron-up' : 'chevron-down'} size={14} />
        </button>
      )}
      {editedProperty && (
        <CellEditor
          definition={definition}
          record={record}
          field={editedProperty.field}
          anchor={editedProperty.anchor}
          onClose={() => setEditedProperty(null)}
        />
      )}
    </aside>
  );
}

interface PropertyProps {
  definition: Definition;
  record: ResourceRecord;
  property: PageProperty;
  onEdit: (field: Field) => void;
}

function Property({ definition, record, property: { field, editable, why: reason }, onEdit }: PropertyProps) {
  const { registry } = useDefinitions();
  const value = <PageValue {...{ field, record, definition, registry }} value={record[field.name]} />;
  const path = useRelatedPath(field, record);
  return (
    <div
      className={styles.railRow}
      data-field={field.name}
      data-editable={editable || undefined}
      data-wide={(isInverse(field) && field.valueStrip !== undefined) || undefined}
    >
      <dt id={`page-${field.name}-label`}>{field.label}</dt>
      <dd>
        <span className={styles.railValue}>{path === undefined ? value : <Link to={path}>{value}</Link>}</span>
        {editable && (
          <button
            type="button"
            className={styles.railEdit}
            aria-label={`Edit ${field.label}`}
            aria-haspopup="dialog"
            onClick={() => onEdit(field)}
          >
            <Icon name={isRelation(field) || field.options ? 'chevron-down' : 'pencil'} size={14} />
          </button>
        )}
        {reason !== undefined && <Why label={field.label} words={reason} />}
      </dd>
    </div>
  );
}

/** The path of the related record whose name is a link to it; undefined: there is none worth a visit. */
function useRelatedPath(field: Field, record: ResourceRecord): string | undefined {
  const { registry, actor } = useDefinitions();
  if (!isRelation(field)) return undefined;
  const [embed] = embedsOf(field, record);
  const target = registry.get(field.to);
  // A record that is only a choice, such as a priority, has no page worth a visit.
  const isChoice = target?.chip !== undefined || target?.scope === 'installation';
  if (!embed || !target || isChoice || !isGranted(actor, field.to, 'view')) return undefined;
  return target.page ? pagePath(target.name, embed.id) : recordPath(target, embed);
}

/** Why a property cannot be edited here: said when it is pressed, and beside the pointer. */
function Why({ label, words }: { label: string; words: string }) {
  const [open, setOpen] = useState(false);
  return (
    <Tooltip
      title={words}
      open={open}
      onOpen={() => setOpen(true)}
      onClose={() => setOpen(false)}
      describeChild
      placement="left"
    >
      <button
        type="button"
        className={styles.railWhy}
        aria-label={`Why can ${label} not be edited here?`}
        onClick={() => setOpen(true)}
      >
        <Icon name="lock" size={14} />
      </button>
    </Tooltip>
  );
}

const stamps = [
  { label: 'Created', by: 'created_by', at: 'created_at' },
  { label: 'Changed', by: 'updated_by', at: 'updated_at' },
] as const;

/** The author and time of the creation, and the time of the last change. */
function Stamps({ definition, record }: { definition: Definition; record: ResourceRecord }) {
  const { registry } = useDefinitions();
  return stamps.map(({ label, by: personField, at: timeField }) => {
    const timestamp = record[timeField];
    if (typeof timestamp !== 'string') return null;
    const field = definition.fields[personField];
    const [person] = field ? embedsOf(field, record) : [];
    const name = field && person && recordTitleOf(registry.get(field.to), person);
    return (
      <div key={timeField} className={styles.railRow}>
        <dt>{label}</dt>
        <dd>
          <span>
            {name && `${name}, `}
            <time dateTime={timestamp}>{formatInstant(timestamp)}</time>
          </span>
        </dd>
      </div>
    );
  });
}
