import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Icon } from '../icons/Icon';
import { fetchApi } from '../session/api';
import type { Me } from '../data/definitionsApi';
import * as styles from './shell.module.css';

/** The role level of owners. A company can invite people once an owner has confirmed their address. */
const owner = 2;

async function sendAgain(): Promise<{ status: boolean; message: string }> {
  return fetchApi('/resend-confirmation', { method: 'POST' });
}

/** Asks an owner to confirm their address until they have done so, and can resend the mail. */
export function ConfirmBar({ me }: { me: Me | undefined }) {
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: sendAgain,
    onSuccess: ({ status, message }) => notify(message, { type: status ? 'success' : 'info' }),
    onError: (error) => notify(error.message, { type: 'error' }),
  });
  if (me?.role.level !== owner || me.user.confirmed !== false) return null;
  return (
    <aside className={styles.confirmBar} aria-label="Your email address">
      <Icon name="mail" />
      <p>
        Confirm your email address: open the link in the email that we sent to <b>{me.user.email}</b>.
        <span> Confirm it before inviting people.</span>
      </p>
      <Button size="small" variant="outlined" disabled={isPending} onClick={() => mutate()}>
        Send it again
      </Button>
    </aside>
  );
}
