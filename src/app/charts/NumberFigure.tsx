import { useId, type ReactNode } from 'react';
import { Link, type To } from 'react-router-dom';
import * as statesStyles from '../states/states.module.css';
import * as styles from './charts.module.css';

interface NumberFigureProps {
  title: string;
  /** Undefined while loading. */
  value?: string;
  /** Why there is no number. */
  problem?: string;
  /** The list that it counts. */
  target?: To;
  className?: string;
  actions?: ReactNode;
}

/** One number in a card. */
export function NumberFigure({ title, value, problem, target, className, actions }: NumberFigureProps) {
  const id = useId();
  const number = <b className="num">{value}</b>;
  return (
    <section className={`${styles.figure}${className ? ` ${className}` : ''}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className={styles.figureGrow} />
        {actions}
      </header>
      <div className={styles.figureNumber}>
        {problem !== undefined ? (
          <p role="status">{problem}</p>
        ) : value === undefined ? (
          <span className={`${statesStyles.skeleton} ${styles.figureNumberWait}`} aria-hidden="true" />
        ) : target === undefined ? (
          number
        ) : (
          <Link to={target}>{number}</Link>
        )}
      </div>
    </section>
  );
}
