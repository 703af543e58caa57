import { useQueryClient } from '@tanstack/react-query';
import { QueueBar } from './QueueBar';
import { useResultQueue } from './useResultQueue';

/** Says how many results wait, sends them, and what was refused. The person's own: those of others stay where they are. */
export function WaitingBar({ person }: { person: number }) {
  const queryClient = useQueryClient();
  const { queue, items } = useResultQueue(
    person,
    () => void queryClient.invalidateQueries({ queryKey: ['run-entries'] }),
  );
  return <QueueBar items={items} queue={queue} />;
}
