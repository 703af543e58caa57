import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../src/app/icons/Icon';
import type { StepState } from './setupProgress';
import * as styles from './setup.module.css';

interface StepLink {
  readonly label: string;
  readonly path: string;
  readonly icon?: string;
}

/** The page that the forms of the steps lead back to. */
const cameFrom = { from: '/flow-setup-steps', label: 'Setup' };

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  /** Why it is locked. */
  reason?: string;
  picture: ReactNode;
  /** The button. */
  action: StepLink;
  /** The link that is shown when the step is done. */
  doneLink?: StepLink;
  children: ReactNode;
}

/**
 * A card of the setup: done with a check mark, next with the only active button, later dimmed with a lock and its reason.
 * A click anywhere on a card that is not locked opens it.
 */
export function Step({ number, title, state, reason, picture, action, doneLink, children }: StepProps) {
  return (
    <li className={styles.setupStep} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
      <p className={styles.setupState}>
        <span className={styles.setupNumber}>{state === 'done' ? <Icon name="check" /> : number}</span>
        {state === 'later' && <Icon name="lock" size={14} />}
        <span>{state === 'done' ? 'Done' : state === 'next' ? 'Next step' : reason}</span>
      </p>
      {picture}
      <h2>
        {state === 'done' ? (
          <Link to={action.path} state={cameFrom} className={styles.setupWhole}>
            {title}
          </Link>
        ) : (
          title
        )}
      </h2>
      <p className={styles.setupPurpose}>{children}</p>
      <div className={styles.setupWay}>
        {state === 'next' && (
          <Button
            component={Link}
            className={styles.setupWhole}
            to={action.path}
            state={cameFrom}
            variant="contained"
            size="large"
            startIcon={action.icon && <Icon name={action.icon} />}
          >
            {action.label}
          </Button>
        )}
        {state === 'later' && (
          <Button variant="outlined" size="large" disabled>
            {action.label}
          </Button>
        )}
        {state === 'done' && doneLink && (
          <Link to={doneLink.path} state={cameFrom}>
            {doneLink.label}
          </Link>
        )}
      </div>
    </li>
  );
}
