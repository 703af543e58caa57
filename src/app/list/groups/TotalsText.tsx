import type { Definition, TotalFunction } from '../../../engine/definitions/definition';
import { totalLabels, totalText, type Figures } from '../../../engine/lists/group-rows';
import { fieldOf } from '../../../engine/definitions/accessors';
import * as styles from './groups.module.css';

/** A word before what is not the sum. */
const words: Readonly<Record<TotalFunction, string>> = {
  sum: '',
  avg: 'avg',
  min: 'min',
  max: 'max',
  count: 'values',
};

interface TotalProps {
  definition: Definition;
  field: string;
  take: TotalFunction;
  figures: Figures;
}

/** A total of a column: `€4,200.00`, `avg 42`. */
export function Total({ definition, field: name, take, figures }: TotalProps) {
  const field = fieldOf(definition, name);
  const text = totalText(figures, field, take);
  if (text === '') return null;
  return (
    <span className={`${styles.groupTotal} num`} title={`${totalLabels[take]} of ${field.label}: ${text}`}>
      <span className="unseen">{`${totalLabels[take]} `}</span>
      {words[take] && (
        <span className={styles.groupTake} aria-hidden="true">
          {words[take]}
        </span>
      )}
      {text}
    </span>
  );
}

interface TotalsTextProps {
  definition: Definition;
  totals: Readonly<Record<string, TotalFunction>>;
  figures: Figures;
}

/** Totals with the labels of their columns, where these are not above them. */
export function TotalsText({ definition, totals, figures }: TotalsTextProps) {
  return Object.entries(totals).map(([name, take]) =>
    totalText(figures, fieldOf(definition, name), take) === '' ? null : (
      <span key={name} className={styles.groupLabelled}>
        {fieldOf(definition, name).label} <Total {...{ definition, take, figures }} field={name} />
      </span>
    ),
  );
}
