import type { ReactNode } from 'react';
import type { EmptyPicture } from '../../engine/definitions/list';
import * as styles from './empty-picture.module.css';

/** A picture of an empty list, by its name in definitions; of a record that is not there; of a lost connection. */
type Picture = EmptyPicture | 'missing' | 'offline';

const pictures: Readonly<Record<Picture, ReactNode>> = {
  missing: (
    <>
      <rect x="22.5" y="8.5" width="58" height="76" rx="8" strokeDasharray="4 4" className={styles.artShape} />
      <path d="M34 28h34M34 40h22M34 52h28" className={styles.artHair} />
      <circle cx="86" cy="56" r="19.5" className={styles.artPen} />
      <path d="m100 70 14 14M80 50l12 12M92 50 80 62" className={styles.artAccent} />
    </>
  ),
  offline: (
    <>
      <path
        d="M34 66.500h62a17 17 0 0 0 2-33.900A26 26 0 0 0 48 28a19.500 19.500 0 0 0-14 38.500Z"
        className={styles.artShape}
      />
      <path d="M36.500 86 106.500 14" stroke="var(--surface)" strokeWidth="2.5" />
      <path d="M34 84 104 12" className={styles.artAccent} />
    </>
  ),
  checklist: (
    <>
      <rect x="30.5" y="10.5" width="60" height="74" rx="8" className={styles.artShape} />
      <rect x="42.5" y="6.5" width="36" height="10" rx="5" className={styles.artShape} />
      <path d="M42 34l3.5 3.5 6-7M42 52l3.5 3.5 6-7" className={styles.artAccent} />
      <path d="M60 35h20M60 53h14M60 70h18" className={styles.artLine} />
      <rect x="41" y="65" width="10" height="10" rx="3" className={styles.artLine} />
      <circle cx="98" cy="66" r="14.5" className={styles.artMark} />
      <path d="M98 60v12M92 66h12" className={styles.artAccent} />
    </>
  ),
  run: (
    <>
      <rect x="14.5" y="38.5" width="104" height="16" rx="8" className={styles.artShape} />
      <path d="M22.5 38.5h34v16h-34a8 8 0 0 1 0-16Z" className={styles.artMark} />
      <path d="M66.5 38.5v16M84.5 38.5v16M102.5 38.5v16" className={styles.artHair} />
      <path d="M48 12.5v14l12-7-12-7Z" className={styles.artPen} />
      <path d="M54 70v8M36 70v4M72 70v4M90 70v4M108 70v4M18 70v4" className={styles.artLine} />
    </>
  ),
  target: (
    <>
      <circle cx="56" cy="46" r="35.5" className={styles.artShape} />
      <circle cx="56" cy="46" r="22.5" className={styles.artShape} />
      <circle cx="56" cy="46" r="9.5" className={styles.artMark} />
      <path d="M56 46 100 14M100 14l2-8 8 8-8 2-2-2Z" className={styles.artPen} />
      <path d="M108 66v12M102 72h12" className={styles.artLine} />
    </>
  ),
  clock: (
    <>
      <circle cx="66" cy="50" r="33.5" className={styles.artShape} />
      <path d="M66 50V16.500A33.5 33.5 0 0 1 95 66.700L66 50Z" className={styles.artMark} />
      <path d="M66 28v22l14 9" className={styles.artAccent} />
      <path d="M60 6.5h12M66 6.5v9M92 20l5-5" className={styles.artLine} />
    </>
  ),
  pipeline: (
    <>
      <rect x="12.5" y="20.5" width="76" height="54" rx="8" className={styles.artShape} />
      <path d="M12.5 34h76" className={styles.artHair} />
      <path d="M22 27.5h.01M29 27.5h.01M36 27.5h.01" className={styles.artLine} strokeWidth="2.5" />
      <path d="M24 46l6 6-6 6M36 58h14" className={styles.artLine} />
      <path d="M102 14 88 44h12l-6 30 24-40h-13l9-20h-12Z" className={styles.artMark} />
    </>
  ),
};

/** A picture: outlines, and one part in colour. */
export default function EmptyPictureArt({ name }: { name: Picture }) {
  return (
    <svg className={styles.art} width="158" height="110" viewBox="0 0 132 92" aria-hidden="true">
      {pictures[name]}
    </svg>
  );
}
