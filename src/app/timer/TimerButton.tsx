import type { MenuItem } from '../layout/menu';
import { lazyComponent } from '../states/lazyComponent';
import { useTimer } from './useTimer';

const RunningTimer = lazyComponent(() => import('./RunningTimer').then((part) => ({ default: part.RunningTimer })));

interface TimerButtonProps {
  /** The entry of the menu that the screen belongs to. */
  entry: MenuItem | undefined;
}

/** The running timer in the bar; nothing while none runs. */
export default function TimerButton({ entry }: TimerButtonProps) {
  const timer = useTimer();
  if (!timer) return null;
  const paths = entry?.tabs?.map(({ to: path }) => path) ?? [entry?.to];
  return <RunningTimer key={timer.started_at} timer={timer} isTimeScreen={paths.includes(`/${timer.resource}`)} />;
}
