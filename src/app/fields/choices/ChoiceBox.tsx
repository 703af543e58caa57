import type { AutocompleteRenderInputParams } from '@mui/material/Autocomplete';
import OutlinedInput from '@mui/material/OutlinedInput';
import type { ReactNode, SyntheticEvent } from 'react';
import type { Tone } from '../../../engine/definitions/definition';
import type { InputProps } from '../fieldType';
import * as styles from './choices.module.css';

interface ChoiceBoxProps extends Pick<
  InputProps,
  'field' | 'required' | 'invalid' | 'describedBy' | 'autoFocus' | 'size'
> {
  params: AutocompleteRenderInputParams;
  placeholder?: string;
  /** Shown before the text. */
  start?: ReactNode;
  /** Replaces the usual end adornment. */
  end?: ReactNode;
  /** The tooltip of the choice. */
  tip?: string;
  /** Why the typed text is no choice, where nothing around the box says it. */
  problem?: string;
  onInvalid: (event: SyntheticEvent<HTMLInputElement>) => void;
  /** Shows the text as a tinted chip. */
  chip?: { title: string; tone?: Tone };
}

/** The text box of a choice: for typing, and to show the current choice. */
export function ChoiceBox({ params, placeholder, start, end, tip, chip, problem, ...props }: ChoiceBoxProps) {
  const { input, htmlInput } = params.slotProps;
  const problemId = `${params.id}-typed`;
  const endAdornment = end ? <div className={styles.choiceEnd}>{end}</div> : input.endAdornment;
  const box = (
    <OutlinedInput
      {...input}
      id={params.id}
      name={props.field.name}
      size={props.size ?? params.size}
      fullWidth
      disabled={params.disabled}
      error={props.invalid}
      autoFocus={props.autoFocus}
      placeholder={placeholder}
      startAdornment={input.startAdornment ?? (start && <span className={styles.choiceStart}>{start}</span>)}
      endAdornment={endAdornment}
      slotProps={{
        input: {
          ...htmlInput,
          className: chip ? `${htmlInput.className ?? ''} ${styles.choiceChip}` : htmlInput.className,
          ...(chip && {
            'data-tone': chip.tone ?? 'none',
            style: { maxWidth: `calc(${chip.title.length + 1}ch + 28px)` },
          }),
          title: tip,
          'aria-required': props.required || undefined,
          'aria-describedby': [props.describedBy, problem && problemId].filter(Boolean).join(' ') || undefined,
          onInvalid: props.onInvalid,
        },
      }}
    />
  );
  if (problem === undefined) return box;
  return (
    <>
      {box}
      <p id={problemId} className={styles.choiceProblem} role="status">
        {problem}
      </p>
    </>
  );
}
