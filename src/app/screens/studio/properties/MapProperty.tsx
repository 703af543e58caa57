import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { useState, type ReactNode } from 'react';
import { Icon } from '../../../icons/Icon';
import { AddMenu } from './AddMenu';
import type { Option } from './ChoiceProperty';
import { Hint } from './Hint';
import { NewName } from './NewName';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface MapPropertyProps {
  /** JSON pointer of the object. */
  at: string;
  label: string;
  /** Label of what adds a key. */
  add: string;
  none: string;
  /** The keys that can be chosen; without them, a key is typed. */
  ways?: readonly Option[];
  /** The pattern of a typed key, and what to say if it does not match. */
  pattern?: { readonly is: RegExp; readonly message: string };
  /** The value of a new key; without one it is stored as soon as its inputs say something. */
  blank?: (key: string) => unknown;
  /** Whether the object stays where it is empty. */
  keepEmpty?: boolean;
  /** The inputs of a value; `isNew`: the key was just added, and nothing of it is stored yet. */
  children: (place: string, key: string, title: string, isNew: boolean) => ReactNode;
}

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** An object at a place of the draft whose keys are chosen or typed, with the inputs of each value. */
export function MapProperty({
  at,
  label,
  add,
  none,
  ways,
  pattern,
  blank,
  keepEmpty = false,
  children,
}: MapPropertyProps) {
  const { value, set, error, hint } = useDraftValue(at);
  const stored = (value ?? {}) as Readonly<Record<string, unknown>>;
  // The key that is edited stays while its value is empty.
  const [current, setCurrent] = useState<string | null>(null);
  const keys = [...Object.keys(stored), ...(current !== null && !Object.hasOwn(stored, current) ? [current] : [])];
  const titleOf = (key: string) => ways?.find((way) => way.value === key)?.label ?? key;
  const begin = (key: string) => {
    setCurrent(key);
    if (blank) set({ ...stored, [key]: blank(key) });
  };
  const remove = (key: string) => {
    setCurrent(null);
    const { [key]: _gone, ...left } = stored;
    set(Object.keys(left).length === 0 && !keepEmpty ? undefined : left);
  };
  return (
    <div className={styles.studioGroup} role="group" aria-label={label}>
      <div className={styles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
      </div>
      {keys.length === 0 && <p className={styles.studioHint}>{none}</p>}
      {keys.map((key) => (
        <div key={key} className={styles.studioEntry} onFocus={() => setCurrent(key)}>
          <div>
            <span>{titleOf(key)}</span>
            <IconButton
              size="small"
              aria-label={`Remove ${titleOf(key)} from ${label}`}
              title="Remove"
              onClick={() => remove(key)}
            >
              <Icon name="close" size={14} />
            </IconButton>
          </div>
          {children(`${at}/${escape(key)}`, key, titleOf(key), !Object.hasOwn(stored, key))}
        </div>
      ))}
      {error && keys.length === 0 && <FormHelperText error>{error}</FormHelperText>}
      {ways ? (
        <AddMenu label={add} ways={ways.filter((way) => !keys.includes(String(way.value)))} onAdd={begin} />
      ) : (
        <NewName label={add} names={keys} pattern={pattern} onAdd={begin} />
      )}
    </div>
  );
}
