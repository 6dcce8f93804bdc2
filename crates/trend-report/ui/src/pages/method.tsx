export function Method({ id }: { id: string }) {
  return <h1>Method {id}</h1>;
}
