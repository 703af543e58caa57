import { skipToken, useQuery } from '@tanstack/react-query';
import { tones } from '../../../engine/definitions/definition';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Choice } from '../../fields/choices/choice';
import { iconNames } from '../../icons/icons';
import { moduleRecordSource } from '../conditions/moduleRecordSource';
import { useDraftPart } from '../draft';
import { ChoiceProperty, type Option } from '../properties/ChoiceProperty';
import * as styles from '../properties/properties.module.css';

const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));
const iconOptions = iconNames.map((name) => ({ value: name, label: name }));
const ringOptions: readonly Option[] = [
  { value: 0, label: 'Empty' },
  { value: 0.25, label: 'A quarter' },
  { value: 0.5, label: 'Half' },
  { value: 0.75, label: 'Three quarters' },
  { value: 1, label: 'Full' },
  { value: 'stopped', label: 'Stopped' },
];
const noRecords: readonly Choice[] = [];

/** The colour of each stored record, and its mark; of records that are not listed too, if they have one. */
export function ChipMarks() {
  const { registry } = useDefinitions();
  const {
    name,
    shape,
    written: writtenIds,
  } = useDraftPart(({ source, module }) => ({
    name: module.name,
    shape: source.chip?.shape,
    written: [...new Set(Object.keys({ ...source.chip?.tones, ...source.chip?.marks }))],
  }));
  const marks = shape === 'ring' ? ringOptions : shape === 'mark' ? iconOptions : undefined;
  const publishedDefinition = registry.get(name);
  const { data: records = noRecords } = useQuery({
    queryKey: [name, 'studio-chips'],
    queryFn: publishedDefinition ? ({ signal }) => moduleRecordSource(publishedDefinition).load('', signal) : skipToken,
    retry: false,
    meta: { quiet: true },
  });
  const unlistedIds = writtenIds.filter((id) => !records.some((record) => String(record.id) === id));
  const visibleRecords = [
    ...records.map(({ id, title }) => ({ id: String(id), title })),
    ...unlistedIds.map((id) => ({ id, title: `Record ${id}` })),
  ];
  if (visibleRecords.length === 0) return <p className={styles.studioHint}>Colours are given to stored records.</p>;
  return visibleRecords.map(({ id, title }) => (
    <div key={id} className={styles.studioPair}>
      <ChoiceProperty
        pointer={`/chip/tones/${id}`}
        label={`${title}: colour`}
        options={toneOptions}
        emptyText="No colour"
      />
      {marks && (
        <ChoiceProperty pointer={`/chip/marks/${id}`} label={`${title}: mark`} options={marks} emptyText="None" />
      )}
    </div>
  ));
}
