import FormHelperText from '@mui/material/FormHelperText';
import IconButton from '@mui/material/IconButton';
import { useState, type ReactNode } from 'react';
import { Icon } from '../../icons/Icon';
import { AddMenu } from './AddMenu';
import type { Option } from './ChoiceProperty';
import { Hint } from './Hint';
import { NewName } from './NewName';
import { useDraftValue } from './useDraftValue';
import * as styles from './properties.module.css';

interface MapPropertyProps {
  /** JSON pointer of the object. */
  pointer: string;
  label: string;
  /** Label of what adds a key. */
  add: string;
  emptyText: string;
  /** The keys that can be chosen; without them, a key is typed. */
  options?: readonly Option[];
  /** The pattern of a typed key, and what to say if it does not match. */
  pattern?: { readonly expression: RegExp; readonly message: string };
  /** The value of a new key; without one it is stored as soon as its inputs say something. */
  createValue?: (key: string) => unknown;
  /** Whether the object stays where it is empty. */
  keepEmpty?: boolean;
  /** The inputs of a value; `isNew`: the key was just added, and nothing of it is stored yet. */
  children: (place: string, key: string, title: string, isNew: boolean) => ReactNode;
}

const escape = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** An object at a place of the draft whose keys are chosen or typed, with the inputs of each value. */
export function MapProperty({
  pointer,
  label,
  add,
  emptyText,
  options,
  pattern,
  createValue,
  keepEmpty = false,
  children,
}: MapPropertyProps) {
  const { value, set, error, hint } = useDraftValue(pointer);
  const storedValues = (value ?? {}) as Readonly<Record<string, unknown>>;
  // The key that is edited stays while its value is empty.
  const [current, setCurrent] = useState<string | null>(null);
  const keys = [
    ...Object.keys(storedValues),
    ...(current !== null && !Object.hasOwn(storedValues, current) ? [current] : []),
  ];
  const titleOf = (key: string) => options?.find((option) => option.value === key)?.label ?? key;
  const begin = (key: string) => {
    setCurrent(key);
    if (createValue) set({ ...storedValues, [key]: createValue(key) });
  };
  const remove = (key: string) => {
    setCurrent(null);
    const { [key]: _gone, ...left } = storedValues;
    set(Object.keys(left).length === 0 && !keepEmpty ? undefined : left);
  };
  return (
    <div className={styles.studioGroup} role="group" aria-label={label}>
      <div className={styles.studioLabel}>
        <span>{label}</span>
        {hint && <Hint text={hint} />}
      </div>
      {keys.length === 0 && <p className={styles.studioHint}>{emptyText}</p>}
      {keys.map((key) => (
        <div key={key} className={styles.studioMapEntry} onFocus={() => setCurrent(key)}>
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
          {children(`${pointer}/${escape(key)}`, key, titleOf(key), !Object.hasOwn(storedValues, key))}
        </div>
      ))}
      {error && keys.length === 0 && <FormHelperText error>{error}</FormHelperText>}
      {options ? (
        <AddMenu label={add} options={options.filter((option) => !keys.includes(String(option.value)))} onAdd={begin} />
      ) : (
        <NewName label={add} names={keys} pattern={pattern} onAdd={begin} />
      )}
    </div>
  );
}
