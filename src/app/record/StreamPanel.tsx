import { isGranted } from '../../engine/access/access-decision';
import { requireValue } from '../../engine/values/lookups';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { useDefinitions } from '../data/DefinitionsContext';
import { requestApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { RecordStream } from './RecordStream';
import * as styles from './record.module.css';

interface StreamPanelProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** The events of a record, beside its form. */
export default function StreamPanel({ definition, record }: StreamPanelProps) {
  const { registry, actor } = useDefinitions();
  // A preview shows drafts of definitions, of whose records nothing is known.
  const isPreview = useApi() !== requestApi;
  if (isPreview) return null;
  const sources = requireValue(definition.page, `the page of ${definition.name}`).stream.filter(
    ({ resource }) => isGranted(actor, resource, 'list') && registry.get(resource),
  );
  return (
    <div className={styles.streamPanel}>
      <RecordStream key={String(record.id)} {...{ definition, record, sources }} />
    </div>
  );
}
