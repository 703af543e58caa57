import '@fontsource-variable/inter';
import './app/theme/tokens.css';
import './app/theme/base.css';
import './app/theme/forced-colors.css';
import { start } from './app/start';
import { product as qa } from '../custom-screens';

// The products that this application has screens of; the server may run another one, which has definitions alone.
start(document.getElementById('root')!, [qa]);
