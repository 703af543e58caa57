import { useQuery } from '@tanstack/react-query';
import { tones } from '../../../../engine/definitions/definition';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import type { Choice } from '../../../choices/choice';
import { iconNames } from '../../../icons/icons';
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
const none: readonly Choice[] = [];

/** The colour of each stored record, and its mark; of records that are not listed too, if they have one. */
export function ChipMarks() {
  const { registry } = useDefinitions();
  const { name, shape, written } = useDraftPart(({ source, module }) => ({
    name: module.name,
    shape: source.chip?.shape,
    written: [...new Set(Object.keys({ ...source.chip?.tones, ...source.chip?.marks }))],
  }));
  const marks = shape === 'ring' ? ringOptions : shape === 'mark' ? iconOptions : undefined;
  const published = registry.get(name);
  const { data: records = none } = useQuery({
    queryKey: [name, 'studio-chips'],
    queryFn: ({ signal }) => moduleRecordSource(published!).load('', signal),
    enabled: published !== undefined,
    retry: false,
    meta: { quiet: true },
  });
  const others = written.filter((id) => !records.some((record) => String(record.id) === id));
  const shown = [
    ...records.map(({ id, title }) => ({ id: String(id), title })),
    ...others.map((id) => ({ id, title: `Record ${id}` })),
  ];
  if (shown.length === 0) return <p className={styles.studioHint}>Colours are given to stored records.</p>;
  return shown.map(({ id, title }) => (
    <div key={id} className={styles.studioPair}>
      <ChoiceProperty at={`/chip/tones/${id}`} label={`${title}: colour`} ways={toneOptions} none="No colour" />
      {marks && <ChoiceProperty at={`/chip/marks/${id}`} label={`${title}: mark`} ways={marks} none="None" />}
    </div>
  ));
}
