import type { ReactNode } from 'react';
import type { Definition, ResourceRecord, Tone } from '../../engine/definitions/definition';
import { Icon } from '../icons/Icon';
import { Initials } from './Initials';
import { Ring } from './Ring';
import { recordTitleOf } from './titleOf';
import * as styles from './chips.module.css';

export interface RecordChipProps {
  /** The record's resource. Without it only the title is shown. */
  definition?: Definition;
  /** The record, or an embed of it: id and title. */
  record: ResourceRecord;
  /** Replaces the title, for example with the searched letters marked. */
  children?: ReactNode;
}

/** A record's title, in the chip shape of its definition. */
export function RecordChip({ definition, record, children }: RecordChipProps) {
  const title = recordTitleOf(definition, record);
  const text = <span>{children ?? title}</span>;
  const chip = definition?.chip;
  if (!chip) return <span className={styles.named}>{text}</span>;
  const id = String(record.id);
  const tone = chip.tones[id];
  if (chip.shape === 'dot') return <ToneChip tone={tone}>{children ?? title}</ToneChip>;
  return (
    <span
      className={styles.named}
      data-shape={chip.shape}
      data-tone={tone}
      title={chip.shape === 'avatar' ? title : undefined}
    >
      <ChipMark definition={definition} record={record} />
      {text}
    </span>
  );
}

/** The mark before a record's title: ring, icon or initials; nothing for other shapes. */
export function ChipMark({ definition, record }: { definition?: Definition; record: ResourceRecord }) {
  const chip = definition?.chip;
  if (!chip || chip.shape === 'dot') return null;
  if (chip.shape === 'avatar') return <Initials name={recordTitleOf(definition, record)} />;
  const mark = chip.marks[String(record.id)];
  const tone = chip.tones[String(record.id)];
  if (chip.shape === 'ring') return <Ring tone={tone} progress={typeof mark === 'string' ? 'stopped' : (mark ?? 0)} />;
  if (typeof mark !== 'string') return null;
  return (
    <span className={styles.mark} data-tone={tone}>
      <Icon name={mark} size={14} />
    </span>
  );
}

/** A tinted chip with a dot. */
export function ToneChip({ tone, children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.chip} data-tone={tone}>
      <span>{children}</span>
    </span>
  );
}
