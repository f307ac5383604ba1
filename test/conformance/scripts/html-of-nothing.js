// A page that never came.
import http from 'k6/http';

export default function () {
  try {
    http.get(`${__ENV.BASE}/page`, { responseType: 'none' }).html();
  } catch (error) {
    console.log(error.name, error.message);
  }
  console.log(http.get(`${__ENV.BASE}/page`).html('nothing').text() === '', http.get(`${__ENV.BASE}/ok`).html().text());
}
