// Names that the options give an address.
import http from 'k6/http';

export const options = {
  hosts: { 'shop.test': __ENV.BASE.slice(7), '*.wild.test': __ENV.BASE.slice(7) },
  tags: { name: 'x' },
};

export default function () {
  for (const name of ['shop.test', 'a.wild.test', 'b.a.wild.test']) {
    const { status, remote_ip: ip } = http.get(`http://${name}/inspect`);
    console.log(`${name} ${status} ${ip}`);
  }
}
