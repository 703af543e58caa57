export { default } from '../files/page';
