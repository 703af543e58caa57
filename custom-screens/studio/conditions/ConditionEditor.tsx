import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { formatJson } from '../../../src/engine/studio/format';
import { Icon } from '../../../src/app/icons/Icon';
import { Hint } from '../properties/Hint';
import { ClauseRow } from './ClauseRow';
import type { Subject } from './fields';
import { operatorsFor, readBuilt, writeBuilt, type Built, type Clause } from './shim';

interface ConditionEditorProps {
  label: string;
  value: unknown;
  subjects: readonly Subject[];
  error?: string;
  hint?: string;
  /** Undefined: nothing is asked. */
  onChange: (condition: unknown) => void;
}

const nothing: Built = { join: 'all', clauses: [] };

/** A condition clause by clause. One that says more than clauses can is shown as it is written. */
export function ConditionEditor({ label, value, subjects, error, hint, onChange }: ConditionEditorProps) {
  // A clause is no condition before it has a value: until then it waits here.
  const [waiting, setWaiting] = useState<Clause | null>(null);
  const built = value === undefined ? nothing : readBuilt(value);
  const clauses = [...(built?.clauses ?? []), ...(waiting ? [waiting] : [])];
  const put = (next: readonly Clause[]) => {
    const whole = next.filter(isWhole);
    setWaiting(next.find((clause) => !isWhole(clause)) ?? null);
    onChange(whole.length === 0 ? undefined : writeBuilt({ ...(built ?? nothing), clauses: whole }));
  };
  const add = () => {
    const free = subjects.find(({ name }) => name !== 'id' && !clauses.some(({ left }) => left === name));
    const { name, field } = free ?? subjects[0]!;
    setWaiting({ left: name, operator: operatorsFor(field.type ?? 'text')[0]!.value, value: undefined });
  };
  const remove = built ? undefined : () => onChange(undefined);
  return (
    <div className="studio-condition" role="group" aria-label={label}>
      <div className="studio-when">
        <span>{label}</span>
        {hint && <Hint text={hint} />}
        {built && clauses.length === 0 && <small>always</small>}
        {!waiting && (
          <IconButton
            size="small"
            aria-label={remove ? `Remove: ${label}` : `Add a condition: ${label}`}
            title={remove ? 'Remove' : 'Add a condition'}
            onClick={remove ?? add}
          >
            <Icon name={remove ? 'close' : 'plus'} size={14} />
          </IconButton>
        )}
      </div>
      {!built && <pre className="studio-code">{formatJson(value)}</pre>}
      {clauses.map((clause, index) => (
        <ClauseRow
          key={index}
          {...{ clause, label, subjects }}
          onChange={(next) => put(clauses.with(index, next))}
          onRemove={() => put(clauses.toSpliced(index, 1))}
        />
      ))}
      {error && <FormHelperText error>{error}</FormHelperText>}
    </div>
  );
}

/** Whether a clause has what it compares with. */
const isWhole = ({ value }: Clause) => value !== undefined && !(Array.isArray(value) && value.length === 0);
