// Words for who mixes the two kinds of modules.
export default function () {
  for (const look of [() => typeof exports, () => module]) {
    try {
      console.log(look());
    } catch (error) {
      console.log(error.name, error.message.slice(0, 50));
    }
  }
}
