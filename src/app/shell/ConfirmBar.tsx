import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { Icon } from '../icons/Icon';
import { fetchApi } from '../session/api';
import * as styles from './shell.module.css';

async function sendAgain(): Promise<{ status: boolean; message: string }> {
  return fetchApi('/resend-confirmation', { method: 'POST' });
}

/** Asks an owner to confirm their address until they have done so, and can resend the mail. */
export default function ConfirmBar({ email }: { email: string }) {
  const notify = useNotify();
  const { mutate, isPending } = useMutation({
    mutationFn: sendAgain,
    onSuccess: ({ status, message }) => notify(message, { type: status ? 'success' : 'info' }),
    onError: (error) => notify(error.message, { type: 'error' }),
  });
  return (
    <aside className={styles.confirmBar} aria-label="Your email address">
      <Icon name="mail" />
      <p>
        Confirm your email address: open the link in the email that we sent to <b>{email}</b>.
        <span> Confirm it before inviting people.</span>
      </p>
      <Button size="small" variant="outlined" disabled={isPending} onClick={() => mutate()}>
        Send it again
      </Button>
    </aside>
  );
}
