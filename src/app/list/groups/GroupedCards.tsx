import { useMemo, useRef } from 'react';
import { RecordContextProvider, type RaRecord } from 'react-admin';
import type { TotalFunction } from '../../../engine/definitions/definition';
import { cardOrDefault } from '../../../engine/lists/cards';
import { formatNumber } from '../../../engine/formats/numbers';
import { groupTitle, type GroupedRow, type ListGroup } from '../../../engine/lists/group-rows';
import { lastOf } from '../../../engine/values/lookups';
import { fieldOf } from '../../../engine/definitions/accessors';
import { RecordCard } from '../cards/RecordCard';
import { SelectableCards } from '../cards/SelectableCards';
import { useCardCommands } from '../cards/useCardCommands';
import { useResourceList } from '../ResourceList';
import { GroupQuickAdd, type Addition, type AdditionOf } from './additions';
import { GroupToggle, TotalsText } from './GroupToggle';
import type { CountedGroups } from './useGroups';
import * as cardStyles from '../cards/cards.module.css';
import * as styles from './groups.module.css';

interface GroupedCardsProps {
  rows: readonly GroupedRow<RaRecord>[];
  countedGroups: CountedGroups | undefined;
  totals: Readonly<Record<string, TotalFunction>>;
  onToggle: (key: string) => void;
  additionOf: AdditionOf;
}

const noRecords: readonly RaRecord[] = [];

/** The records as cards under the headings of their groups, and the totals of the list. */
export function GroupedCards({ rows, countedGroups, totals, onToggle, additionOf }: GroupedCardsProps) {
  const { definition, grouping, data: records = noRecords, embedded } = useResourceList();
  const frame = useRef<HTMLDivElement>(null);
  useCardCommands({ frame, definition, records, enabled: !embedded });
  const parts = useMemo(() => partsOf(rows), [rows]);
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const listTotals = countedGroups && <TotalsText {...{ definition, totals }} figures={countedGroups.totals} />;
  return (
    <SelectableCards frame={frame}>
      <div ref={frame}>
        {parts.map(({ heading, records: partRecords }) => (
          <section
            key={heading?.group.key ?? 'all'}
            aria-label={heading && grouping && groupTitle(heading.group, grouping, fieldOf(definition, grouping.field))}
          >
            {heading && grouping && (
              <h2 className={styles.groupHead}>
                <GroupToggle {...{ definition, grouping, onToggle }} {...heading} />
                <TotalsText {...{ definition, totals }} figures={heading.group.figures} />
              </h2>
            )}
            {partRecords.length > 0 && (
              <ul className={cardStyles.cards} aria-label={definition.labels.many}>
                {partRecords.map((record) => (
                  <li key={record.id} data-card={record.id}>
                    <RecordContextProvider value={record}>
                      <RecordCard {...{ definition, card, record }} />
                    </RecordContextProvider>
                  </li>
                ))}
              </ul>
            )}
            {heading && !heading.isClosed && <Added addition={additionOf(heading.group, partRecords)} />}
          </section>
        ))}
        {countedGroups && Object.keys(totals).length > 0 && (
          <p className={styles.totalsLine}>
            <span className={styles.totalsName}>{`All ${formatNumber(countedGroups.totals.count)}`}</span>
            {listTotals}
          </p>
        )}
      </div>
    </SelectableCards>
  );
}

const Added = ({ addition }: { addition: Addition | undefined }) => addition && <GroupQuickAdd {...addition} />;

interface Part {
  readonly heading?: { readonly group: ListGroup; readonly isClosed: boolean };
  readonly records: RaRecord[];
}

/** Headings with the records below them. */
function partsOf(rows: readonly GroupedRow<RaRecord>[]): Part[] {
  const parts: Part[] = [];
  for (const row of rows) {
    if (row.group) parts.push({ heading: row, records: [] });
    else if (parts.length === 0) parts.push({ records: [row.record] });
    else lastOf(parts).records.push(row.record);
  }
  return parts;
}
