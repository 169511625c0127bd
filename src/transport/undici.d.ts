/** Only the one-socket client is imported, by its file: the whole package doubles the cost of a start. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}
