import { token } from './tokens';

type State = 'off' | 'on' | 'some';

/** The box of a checkbox. */
export function BoxMark({ state }: { state: State }) {
  const isFilled = state !== 'off';
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <rect
        x="0.75"
        y="0.75"
        width="14.5"
        height="14.5"
        rx="3.5"
        strokeWidth="1.5"
        fill={token(isFilled ? 'accent' : 'surface')}
        stroke={token(isFilled ? 'accent' : 'control')}
      />
      {isFilled && (
        <path
          d={state === 'on' ? 'm4.3 8.3 2.6 2.4 4.8-5.2' : 'M4.5 8h7'}
          stroke={token('on-accent')}
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}

/** The ring of a radio button. */
export function RingMark({ isOn = false }: { isOn?: boolean }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <circle
        cx="8"
        cy="8"
        r="7.25"
        strokeWidth="1.5"
        fill={token(isOn ? 'accent' : 'surface')}
        stroke={token(isOn ? 'accent' : 'control')}
      />
      {isOn && <circle cx="8" cy="8" r="3" fill={token('on-accent')} />}
    </svg>
  );
}
