import { useQuery } from '@tanstack/react-query';
import { tones } from '../../../../engine/definitions/definition';
import { useDefinitions } from '../../../admin/DefinitionsContext';
import type { Choice } from '../../../choices/choice';
import { iconNames } from '../../../icons/icons';
import { moduleRecordSource } from '../conditions/moduleRecordSource';
import { useDraftPart } from '../draft';
import { ChoiceProperty, type Option } from '../properties/ChoiceProperty';
import { PlaceErrors } from '../properties/PlaceErrors';
import { SwitchRow } from '../properties/SwitchProperty';
import { useDraftValue } from '../properties/useDraftValue';
import * as styles from '../properties/properties.module.css';

const shapes: readonly Option[] = [
  { value: 'dot', label: 'A dot' },
  { value: 'ring', label: 'A ring that fills' },
  { value: 'mark', label: 'An icon' },
  { value: 'avatar', label: 'Initials' },
];
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

/** How records show wherever they are named: the shape of their chip, and the colour and mark of each. */
export function ChipInputs() {
  const { value, set, hint, error } = useDraftValue('/chip');
  const { shape } = (value ?? {}) as { shape?: unknown };
  return (
    <>
      <SwitchRow
        label="Records are shown as chips"
        on={value !== undefined}
        {...{ hint, error: value === undefined ? error : undefined }}
        onChange={(on) => set(on ? { shape: 'dot' } : undefined)}
      />
      {value !== undefined && (
        <>
          <PlaceErrors place="/chip" />
          <ChoiceProperty at="/chip/shape" label="Shape" ways={shapes} brief />
          {shape !== 'avatar' && (
            <Marks marks={shape === 'ring' ? ringOptions : shape === 'mark' ? iconOptions : undefined} />
          )}
        </>
      )}
    </>
  );
}

/** The colour of each stored record, and its mark; of records that are not listed too, if they have one. */
function Marks({ marks }: { marks: readonly Option[] | undefined }) {
  const { registry } = useDefinitions();
  const { name, written } = useDraftPart(({ source, module }) => ({
    name: module.name,
    written: [...new Set(Object.keys({ ...source.chip?.tones, ...source.chip?.marks }))],
  }));
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
      <ChoiceProperty at={`/chip/tones/${id}`} label={`${title}: colour`} ways={toneOptions} none="No colour" brief />
      {marks && <ChoiceProperty at={`/chip/marks/${id}`} label={`${title}: mark`} ways={marks} none="None" brief />}
    </div>
  ));
}
