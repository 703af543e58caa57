import type { RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import type { Definition, StreamSource } from '../../engine/definitions/definition';
import { recordPath } from '../../engine/lists/row-actions';
import { isRelation } from '../../engine/field-types/relation';
import { useDefinitions } from '../data/DefinitionsContext';
import { RecordChip } from '../chips/RecordChip';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import { PageValue } from '../fields/pages';
import { StreamLine } from './StreamLine';
import * as styles from './record.module.css';

/** A record of another resource in one line: who did what, in the words of the definition. */
export function RecordLine({ source, record }: { source: StreamSource; record: RaRecord }) {
  const { registry } = useDefinitions();
  const definition = registry.getOrThrow(source.resource);
  const personField = source.person === undefined ? undefined : definition.fields[source.person];
  const [person] = personField ? embedsOf(personField, record) : [];
  const personName = personField && person && recordTitleOf(registry.get(personField.to), person);
  const parts = source.text.split(/\{([A-Za-z_]\w*)\}/);
  return (
    <StreamLine icon="activity" timestamp={String(record[source.time])} personName={personName}>
      {parts.map((part, index) =>
        index % 2 === 0 ? part : <Named key={index} name={part} {...{ definition, record }} />,
      )}
    </StreamLine>
  );
}

/** A field in the text; a related record as a link. */
function Named({ name, definition, record }: { name: string; definition: Definition; record: RaRecord }) {
  const { registry, actor } = useDefinitions();
  const field = definition.fields[name];
  if (!field) return null;
  const [embed] = isRelation(field) ? embedsOf(field, record) : [];
  const target = registry.get(field.to);
  if (embed && target && isGranted(actor, target.name, 'view'))
    return (
      <Link
        className={styles.lineLink}
        to={target.page ? `/${target.name}/${String(embed.id)}/page` : recordPath(target, embed)}
      >
        <RecordChip definition={target} record={embed} />
      </Link>
    );
  return (
    <span className={styles.lineValue}>
      <PageValue {...{ field, record, definition, registry }} value={record[name]} />
    </span>
  );
}
