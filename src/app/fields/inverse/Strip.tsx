import type { FieldOf, ResourceRecord, SelectOption } from '../../../engine/definitions/definition';
import type { Registry } from '../../../engine/registry/registry';
import { Icon } from '../../icons/Icon';
import type { IconName } from '../../icons/icons';
import * as styles from './strip.module.css';

/** Values side by side, the latest last: each a square in its tone, with a symbol so that no tone is known by colour alone. */
export function StripOfRecords({
  field,
  records,
  registry,
}: {
  field: FieldOf<'inverse'>;
  records: readonly ResourceRecord[];
  registry: Registry;
}) {
  const definition = registry.get(field.inverse.resource);
  const { valueStrip: stripField } = field;
  if (stripField === undefined) return null;
  const options = definition?.fields[stripField]?.options ?? [];
  const values = records.map((record) => record[stripField]);
  return <Strip values={values} options={options} />;
}

interface StripProps {
  values: readonly unknown[];
  options: readonly SelectOption[];
}

const symbols: Readonly<Partial<Record<string, IconName>>> = { urgent: 'x', high: 'minus', medium: 'activity' };

/** The squares of values of a select field. */
function Strip({ values, options }: StripProps) {
  if (values.length === 0) return null;
  const shownOptions = values.map((value) => options.find((option) => option.value === value));
  return (
    <span className={styles.strip} role="img" aria-label={inWords(shownOptions)} title={inWords(shownOptions)}>
      {shownOptions.map((option, index) => (
        <Square key={index} option={option} />
      ))}
    </span>
  );
}

/** One value: its tone, and a symbol if the tone has one. */
export function Square({ option }: { option: SelectOption | undefined }) {
  const tone = option?.tone ?? 'neutral';
  const symbol = symbols[tone];
  return <i data-tone={tone}>{symbol && <Icon name={symbol} size={10} />}</i>;
}

/** `The last 8: 6 Passed, 2 Failed; the latest is Failed`. */
export function inWords(shownOptions: readonly (SelectOption | undefined)[]): string {
  const counts = new Map<string, number>();
  for (const option of shownOptions) {
    const label = option?.label ?? 'Unknown';
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const parts = [...counts].map(([label, count]) => `${count} ${label}`).join(', ');
  return `The last ${shownOptions.length}: ${parts}; the latest is ${shownOptions.at(-1)?.label ?? 'Unknown'}`;
}
