// Selections of a page.
import { parseHTML } from 'k6/html';
import http from 'k6/http';

export default function () {
  const page = http.get(`${__ENV.BASE}/page`).html();
  const li = page.find('li');
  const texts = (selection) =>
    selection
      .toArray()
      .map((one) => one.text())
      .join();
  console.log(
    page.find('title').text(),
    li.size(),
    texts(li),
    page.find('body').attr('class'),
    li.attr('nope', 'other'),
  );
  console.log(
    page.find('h1').data('n'),
    Object.entries(page.find('h1').data())
      .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
      .sort()
      .join(),
    page.find('h1').html(),
    page.find('ul').html(),
  );
  console.log(
    texts(li.first()),
    texts(li.last()),
    texts(li.eq(-2)),
    li.eq(9).size(),
    texts(li.slice(1)),
    texts(li.slice(-1)),
  );
  console.log(
    texts(li.filter('.b')),
    texts(li.filter((i) => i > 0)),
    texts(li.not('.b')),
    li.is('.c'),
    li.is((i) => i === 9),
    page.find('ul').has('.b').size(),
  );
  console.log(
    page.find('.b').parent().size(),
    page.find('.b').parents().size(),
    page.find('.b').closest('ul').size(),
    texts(page.find('.a').nextAll()),
    texts(page.find('.c').prev()),
  );
  console.log(
    JSON.stringify(li.map((i, one) => `${i}${one.attr('class')}`)),
    li.get(1).nodeName(),
    li.get(1).getAttribute('class'),
  );
  li.each((i, element) => console.log(i, element.textContent(), element.innerHTML(), element.id()));
  console.log(
    page.find('form').serialize(),
    JSON.stringify(page.find('form').serializeArray()),
    Object.entries(page.find('form').serializeObject()).map(String).sort().join('&'),
  );
  console.log(page.find('select').val(), page.find('textarea').val(), page.find('input').val());
  console.log(
    http.get(`${__ENV.BASE}/page`).html('p').text(),
    page.find('li[').size(),
    page.find('li:nth-child(2)').text(),
  );
  console.log(parseHTML('<div>a</div><br>').html());
}
