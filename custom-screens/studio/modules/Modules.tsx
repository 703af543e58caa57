import { usePage } from '../../../src/app/layout/page';

/** Soon. */
export default function Modules() {
  usePage({ title: 'Studio' });
  return null;
}
