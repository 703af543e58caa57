import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNotify } from 'react-admin';
import { Icon } from '../../src/app/icons/Icon';
import { fetchApi } from '../../src/app/session/api';
import * as styles from './run-report.module.css';

/** Signs the run off as it is now, with a comment. */
export function SignOffButton({ run }: { run: number }) {
  const id = useId();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [comment, setComment] = useState('');
  const sign = useMutation({
    mutationFn: () =>
      fetchApi(`/test-runs/${run}/stamp`, { method: 'POST', json: { comment: comment.trim() || null } }),
    onSuccess: () => {
      notify('The run is signed off as it is now.', { type: 'success' });
      setOpen(false);
      setComment('');
    },
    onError: (error) => notify(error.message, { type: 'error' }),
    onSettled: () => void queryClient.invalidateQueries(),
  });
  return (
    <>
      <Button variant="outlined" startIcon={<Icon name="check" />} onClick={() => setOpen(true)}>
        Sign off
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} fullWidth maxWidth="xs" aria-labelledby={`${id}-title`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            sign.mutate();
          }}
        >
          <DialogTitle id={`${id}-title`}>Sign off this run</DialogTitle>
          <DialogContent className={styles.signOff}>
            <p>
              The report gets your name, the time and the fingerprint of its results as they are now. If a result
              changes later, the report says so.
            </p>
            <Box
              component="label"
              sx={{ display: 'block', mb: 1.5, fontSize: 13, fontWeight: 500 }}
              htmlFor={`${id}-comment`}
            >
              Comment
            </Box>
            <OutlinedInput
              id={`${id}-comment`}
              multiline
              minRows={3}
              fullWidth
              autoFocus
              value={comment}
              onChange={({ target }) => setComment(target.value)}
              slotProps={{ input: { maxLength: 1000 } }}
            />
          </DialogContent>
          <DialogActions>
            <Button variant="outlined" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button type="submit" variant="contained" disabled={sign.isPending}>
              Sign off
            </Button>
          </DialogActions>
        </form>
      </Dialog>
    </>
  );
}
