import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { Icon } from '../icons/Icon';
import * as styles from './form.module.css';

/** A typed value that is not in the form any more. */
export interface TypedValue {
  label: string;
  text: string;
}

/** The values that the user had typed before another version was loaded, to copy back by hand. */
export function TypedValues({ typedValues, onDismiss }: { typedValues: readonly TypedValue[]; onDismiss: () => void }) {
  const copy = (text: string) => void navigator.clipboard?.writeText(text);
  return (
    <section className={styles.mine} aria-label="What you typed">
      <header>
        <b>What you typed</b>
        <Button
          variant="text"
          size="small"
          onClick={() => copy(typedValues.map(({ label, text }) => `${label}: ${text}`).join('\n'))}
        >
          Copy all
        </Button>
        <IconButton size="small" aria-label="Dismiss what you typed" onClick={onDismiss}>
          <Icon name="close" />
        </IconButton>
      </header>
      <dl>
        {typedValues.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text || 'Cleared'}</dd>
            <IconButton size="small" aria-label={`Copy ${label}`} onClick={() => copy(text)}>
              <Icon name="copy" />
            </IconButton>
          </div>
        ))}
      </dl>
    </section>
  );
}
