// Timers beside promises, requests that hold nobody up, and the order of all.
import http from 'k6/http';
import { setTimeout as after } from 'k6/timers';

export const options = { iterations: 1, vus: 1 };

export default async function () {
  const seen = [];
  setTimeout(() => seen.push('timer 40'), 40);
  const cleared = setTimeout(() => seen.push('never'), 10);
  clearTimeout(cleared);
  const asked = http.asyncRequest('GET', `${__ENV.BASE}/async/asked`, null, { tags: { name: 'asked' } });
  Promise.resolve().then(() => seen.push('job'));
  http.get(`${__ENV.BASE}/async/plain`, { tags: { name: 'plain' } });
  seen.push('plain');
  const answer = await asked;
  seen.push(`asked ${answer.status}`);
  let ticks = 0;
  await new Promise((resolve) => {
    const id = setInterval(() => {
      ticks++;
      if (ticks === 3) {
        clearInterval(id);
        resolve();
      }
    }, 15);
  });
  console.log(seen[0], seen[1], seen.includes('asked 404') || seen.includes('asked 200'), ticks);
  console.log(await new Promise((resolve) => after(resolve, 5, 'word')));
  try {
    setTimeout('text', 1);
  } catch {
    console.log('refused');
  }
  await new Promise((resolve) => setTimeout(resolve, 60));
  console.log(seen.length, seen.includes('timer 40'), seen.includes('never'));
}
