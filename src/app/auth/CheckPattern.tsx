import * as styles from './auth.module.css';

// One letter a cell: passed, run today, failed, not run yet.
const rows = ['pp.pprpprppp', 'prpp.ppFpprp', 'ppFppprp.ppp', '.pprpFpppp.r', 'pFpp.prrppFp'];

const cell = { p: undefined, r: styles.today, F: styles.failed, '.': styles.open };
type Letter = keyof typeof cell;

/** The picture beside the sign-in form: a board of test results. */
export function CheckPattern() {
  return (
    <svg className={styles.authPattern} viewBox="0 0 424 172" width="424" height="172" aria-hidden="true">
      {rows.flatMap((row, y) =>
        [...row].map((cellLetter, x) => (
          <g key={`${x}.${y}`} className={cell[cellLetter as Letter]} transform={`translate(${x * 36} ${y * 36})`}>
            <rect x="0.5" y="0.5" width="27" height="27" rx="6" />
            {cellLetter === 'F' && <path d="m10.5 10.5 7 7m0-7-7 7" />}
            {cellLetter !== 'F' && cellLetter !== '.' && <path d="m9 14.3 3.4 3.3 6.6-7.2" />}
          </g>
        )),
      )}
    </svg>
  );
}
